# Two stages: the first has torch and the build's tools, and makes knowledge base, encoder, index and wheel; the last one has only
# what `serve` needs.
#   docker build -t tfhelp . && docker run --rm -p 127.0.0.1:8000:8000 --read-only --tmpfs /tmp tfhelp
#
# To pin the base by its digest, look up the digest of the tag once, and build with it (docs/hosting.md, "Ship it"):
#   docker buildx imagetools inspect python:3.11-slim --format '{{.Manifest.Digest}}'
#   docker build --build-arg PYTHON_IMAGE=python:3.11-slim@sha256:DIGEST -t tfhelp .
ARG PYTHON_IMAGE=python:3.11-slim

FROM ${PYTHON_IMAGE} AS build
# The time of the last commit: if it is set, the same sources give the same wheel, bit for bit (git log -1 --format=%ct).
ARG SOURCE_DATE_EPOCH
# PyTorch has a separate index for builds without CUDA. If you name it here, the first stage is some GB smaller.
ARG TORCH_INDEX=
RUN apt-get update \
 && apt-get install --yes --no-install-recommends binutils gcc libc6-dev make \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
# The packages first: this layer takes longest to build, and it stays cached while entries and code change.
COPY requirements.txt deploy/serve.lock deploy/build.lock deploy/slim.sh ./
RUN pip install --no-cache-dir ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} "$(grep '^torch==' requirements.txt)" \
 && pip install --no-cache-dir --require-hashes --requirement build.lock
# The environment that is served: pip checks the digest of every file. It contains no pip.
RUN python -m venv --without-pip /opt/tfhelp \
 && pip --python /opt/tfhelp/bin/python install --no-cache-dir --require-hashes --only-binary :all: --requirement serve.lock \
 && sh slim.sh /opt/tfhelp
COPY . .
# The environment sees the packages above, so that `make` installs only the rest.
RUN python -m venv --system-site-packages .venv && make wheel
RUN pip --python /opt/tfhelp/bin/python install --no-cache-dir --no-deps --no-index dist/tfhelp-[0-9]*.whl

FROM ${PYTHON_IMAGE}
LABEL org.opencontainers.image.title="tfhelp" \
      org.opencontainers.image.description="From a pasted TensorFlow training error to the fix that fits this machine" \
      org.opencontainers.image.licenses="Apache-2.0"
# The user is given by numbers, because Kubernetes' runAsNonRoot cannot look up a name. pip is no longer needed here.
RUN groupadd --gid 10001 tfhelp \
 && useradd --uid 10001 --gid 10001 --home-dir /tmp --no-create-home --shell /usr/sbin/nologin tfhelp \
 && python -m pip uninstall --yes pip setuptools wheel
COPY --from=build /opt/tfhelp /opt/tfhelp
USER 10001:10001
WORKDIR /tmp
# The server writes only to /tmp: the root file system may be read-only.
ENV PATH=/opt/tfhelp/bin:$PATH \
    HOME=/tmp \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
EXPOSE 8000
# http.client, because urllib would use the proxy of http_proxy.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "import http.client, sys; c = http.client.HTTPConnection('127.0.0.1', 8000, timeout=4); c.request('GET', '/healthz'); sys.exit(c.getresponse().status != 200)"]
STOPSIGNAL SIGTERM
# Inside the container it listens on all addresses; the host decides who reaches it (-p 127.0.0.1:8000:8000).
ENTRYPOINT ["tfhelp"]
# tfhelp requires no login here; docs/hosting.md describes tokens and logins; with them, remove --open-to-all.
CMD ["serve", "--host", "0.0.0.0", "--port", "8000", "--open-to-all"]
