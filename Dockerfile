# pbem for whoever hosts games: docker build -t pbem . && docker run -v games:/games pbem doctor
ARG BASE=python:3.13-slim
FROM ${BASE} AS build
COPY . /source
RUN pip wheel --no-cache-dir --wheel-dir /wheels "/source[play,league]"

FROM ${BASE}
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links /wheels "pbem-gm[play,league]"
RUN useradd --create-home --uid 1000 master && install --directory --owner master --mode 700 /games
USER master
WORKDIR /games
VOLUME /games
ENTRYPOINT ["pbem"]
CMD ["--help"]
