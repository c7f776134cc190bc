"""Resident helper processes of the preview.

Comes in: requests from the scheduler. Goes out: pictures, problems and pages. Called by: the scheduler."""
