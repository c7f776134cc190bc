"""Work spread over a Dask cluster, and a store that several machines share."""
