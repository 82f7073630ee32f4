# pbem for whoever hosts games: docker build -t pbem . && docker run -v games:/games pbem doctor
FROM python:3.13-slim AS build
COPY . /source
RUN pip wheel --no-cache-dir --wheel-dir /wheels "/source[play,league]"

FROM python:3.13-slim
RUN --mount=from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links /wheels "pbem-gm[play,league]"
RUN useradd --create-home --uid 1000 master && install --directory --owner master --mode 700 /games
USER master
WORKDIR /games
VOLUME /games
ENTRYPOINT ["pbem"]
CMD ["--help"]
