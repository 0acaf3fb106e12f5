# One image for web, worker, beat and migrations; docker-compose.yml says what runs.
FROM python:3.13-slim-bookworm AS built
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/tendone
# With the solver of timetables, which workers use.
COPY requirements-solver.lock /
RUN /opt/tendone/bin/pip install --require-hashes --no-deps --requirement /requirements-solver.lock
COPY . /app
WORKDIR /app
RUN /opt/tendone/bin/python config/catalogues.py
# Static files are named by their content here, once; no setting of the service reaches into this step.
RUN DATABASE_URL=postgresql://build@localhost/build CELERY_BROKER_URL=memory://localhost ALLOWED_HOSTS=build \
    SECRET_KEY=used-for-this-one-step-and-stored-nowhere STATIC_ROOT=/app/staticfiles TENDONE_VAR=/nonexistent \
    /opt/tendone/bin/python manage.py collectstatic --no-input
RUN /opt/tendone/bin/python -m compileall -q /app

FROM python:3.13-slim-bookworm
RUN groupadd --system --gid 10001 tendone && useradd --system --uid 10001 --gid 10001 --home-dir /app tendone \
    && install -d -m 0700 -o tendone -g tendone /var/lib/tendone \
    && install -d -m 2750 -o tendone -g tendone /var/lib/tendone-published
COPY --from=built /opt/tendone /opt/tendone
COPY --from=built /app /app
ENV PATH=/opt/tendone/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    STATIC_ROOT=/app/staticfiles TENDONE_VAR=/var/lib/tendone
WORKDIR /app
USER tendone
EXPOSE 8000
CMD ["gunicorn", "--config", "config/gunicorn.py", "config.wsgi"]
