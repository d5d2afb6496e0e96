# syntax=docker/dockerfile:1
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.npm sh deploy/image/build.sh /src /app

FROM node:24-bookworm-slim
RUN groupadd --gid 10001 rollcall \
 && useradd --uid 10001 --gid rollcall --home-dir /data --no-create-home --shell /usr/sbin/nologin rollcall \
 && install -d -o rollcall -g rollcall -m 0750 /data /config
COPY --from=build --chown=root:root /app /app
# The program's own folder is root's: what is compiled once per version is kept beside the data.
ENV NODE_ENV=production NODE_COMPILE_CACHE=/data/.cache/compiled
# Relative paths of the configuration start here; ./config.yaml or /config/config.yaml is read.
WORKDIR /data
VOLUME ["/data"]
USER 10001:10001
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "/app/packages/server/bin/rollcall.cjs", "health"]
ENTRYPOINT ["node", "/app/packages/server/bin/rollcall.cjs"]
CMD ["serve"]
