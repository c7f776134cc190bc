# cardgen with all that it needs, run as nobody in particular: docs/start.md says how.
# The wheel is built in a stage of its own, which fetches the families that it carries.
FROM docker.io/library/python:3.13-slim-bookworm AS wheel
COPY pyproject.toml README.md LICENSE MANIFEST.in /source/
COPY distribution /source/distribution
COPY cardgen /source/cardgen
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels /source

FROM docker.io/library/python:3.13-slim-bookworm
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=wheel /wheels /wheels
RUN pip install --no-cache-dir /wheels/*.whl && rm -rf /wheels
# Whoever is asked for with --user has no home: what is kept for it lies where anyone may write.
# A volume at /settings keeps the secret by which cardgen knows its own build folders.
RUN useradd --uid 1000 --create-home cardgen && mkdir /game && chown cardgen: /game \
    && mkdir -m 1777 /settings
ENV HOME=/tmp CARDGEN_CONFIG=/settings
USER cardgen
WORKDIR /game
ENTRYPOINT ["cardgen"]
CMD ["--help"]
