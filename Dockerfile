# A static binary and nothing else: no shell, no libc, no package manager.
#
#   docker build -t cabrank . && docker run --rm -p 8080:8080 cabrank
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
RUN CGO_ENABLED=0 go build -trimpath -tags nomsgpack \
    -ldflags "-s -w -X github.com/cabrank/cabrank/cmd/cabrank/cli.version=${VERSION}" -o /cabrank ./cmd/cabrank \
 && mkdir -m 0777 /data /scratch

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /cabrank /cabrank
COPY --from=build --chown=65532:65532 /data /data
COPY --from=build --chown=65532:65532 /scratch /tmp
USER 65532:65532
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s CMD ["/cabrank", "ready", "http://127.0.0.1:8080"]
# In the environment rather than as flags, so that "docker run -e" can change them.
ENV CABRANK_SERVE_LISTEN=0.0.0.0:8080 CABRANK_SERVE_DB=/data/cabrank.db CABRANK_DEMO_LISTEN=0.0.0.0:8080
ENTRYPOINT ["/cabrank"]
CMD ["serve"]
