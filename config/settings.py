"""Settings, all from the environment (see docs/guides/operators.md for the list).

Two run modes, one code base. Without DATABASE_URL the service runs embedded: SQLite in `var/`, tasks on a
thread of the same process, a secret key made at the first start. With DATABASE_URL it runs in full:
PostgreSQL, a broker, web and worker processes, and nothing is guessed.
"""

from typing import Any

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _
from whitenoise.compress import Compressor  # type: ignore[import-untyped]  # it has no types

from config import environment, logs, queues
from config.backup_folder import remembered_folder
from config.environment import BASE_DIR
from config.private_files import FILE_MODE, FOLDER_MODE

VAR_DIR = environment.folder("TENDONE_VAR", BASE_DIR / "var")
BACKUP_DIR = environment.folder("BACKUP_ROOT", remembered_folder(VAR_DIR))
EMBEDDED = not environment.text("DATABASE_URL")
DEBUG = environment.boolean("DEBUG", default=False)
# Plain http is right on a laptop's own address; behind a proxy the cookies have to be secure.
HTTPS = environment.boolean("HTTPS", default=not EMBEDDED)

if EMBEDDED:
    SECRET_KEY = environment.kept_secret("SECRET_KEY", VAR_DIR / "secret-key")
    ALLOWED_HOSTS = environment.names("ALLOWED_HOSTS", ("localhost", "127.0.0.1", "[::1]"))
    CELERY_BROKER_URL = "memory://localhost"
else:
    SECRET_KEY = environment.secret("SECRET_KEY")
    ALLOWED_HOSTS = environment.required_names(
        "ALLOWED_HOSTS", "name the hosts that the service answers to, divided by commas."
    )
    CELERY_BROKER_URL = environment.broker("CELERY_BROKER_URL")

# Scheme and host that phones use, for QR codes and slips; without it, those of the request that makes them.
PUBLIC_ADDRESS = environment.public_address("PUBLIC_ADDRESS", ALLOWED_HOSTS, https=HTTPS)

INSTALLED_APPS = [
    "config.apps.ConfigConfig",
    "ledger",
    "games",
    "people",
    "tournaments",
    "integrations",
    "rendering.components",
    "publishing",
    "referee",
    "desk",
    "api",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rules",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]

MIDDLEWARE = [
    "config.middleware.ProxiesMiddleware",
    "config.middleware.RequestLineMiddleware",
    "config.middleware.ProtectionMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.middleware.PublishedPagesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "config.middleware.ActorMiddleware",
    "config.middleware.NotAllowedMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "config.service_state.service_state",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ],
        },
    },
]

# Data

if EMBEDDED:
    # Names of children are in there.
    VAR_DIR.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    DATABASES: dict[str, dict[str, Any]] = {
        "default": {
            "ENGINE": "config.watched_sqlite",
            "NAME": str(VAR_DIR / "tendone.sqlite3"),
            "OPTIONS": {
                # A writer takes its lock when the transaction begins: two of them queue, none fails half-way.
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                # What is erased isn't left in free pages, which backups copy.
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;",
            },
        }
    }
else:
    DATABASES = {"default": environment.postgresql("DATABASE_URL") | {"CONN_HEALTH_CHECKS": True}}
# Seconds for which a thread keeps its connection.
DATABASES["default"]["CONN_MAX_AGE"] = int(environment.number("CONN_MAX_AGE", 60))
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Who

AUTH_USER_MODEL = "people.Account"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "desk:sign-in"
LOGIN_REDIRECT_URL = "desk:home"
LOGOUT_REDIRECT_URL = "publishing:home"

# Languages and time

LANGUAGE_CODE = "it"
LANGUAGES = [("it", _("Italian")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "Europe/Rome"

# Files

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static", ("guide", BASE_DIR / "docs" / "guides" / "images")]
# `collectstatic` names files by their content and compresses them: all in full, our own for `script/serve`.
# Without it, as in tests, they are served as they lie in the checkout.
NAMED_FILES = environment.boolean("NAMED_FILES", default=not EMBEDDED)
STATIC_ROOT = environment.folder("STATIC_ROOT", BASE_DIR / "staticfiles") if NAMED_FILES else None
WHITENOISE_USE_FINDERS = EMBEDDED
# Libraries bring maps of their scripts along: megabytes that no page asks for.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")
# Web servers read it, who may not look into the folder of everything else. On a laptop there is none.
PUBLISHED_DIR = VAR_DIR / "published" if EMBEDDED else VAR_DIR.with_name(f"{VAR_DIR.name}-published")
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": VAR_DIR / "files"},
    },
    "published": environment.storage("PUBLISHED_STORAGE")
    or {
        "BACKEND": "publishing.page_folder.PublishedFolder",
        "OPTIONS": {"location": environment.folder("PUBLISHED_ROOT", PUBLISHED_DIR)},
    },
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if not NAMED_FILES
        else f"config.static_files.{'OwnStorage' if EMBEDDED else 'ModuleStorage'}",
    },
}
if EMBEDDED:
    # What is written to `var` is for this account alone, whatever Django would choose.
    FILE_UPLOAD_PERMISSIONS, FILE_UPLOAD_DIRECTORY_PERMISSIONS = FILE_MODE, FOLDER_MODE
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

# Safety

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    },
}
CSRF_TRUSTED_ORIGINS = environment.names("CSRF_TRUSTED_ORIGINS")
CSRF_FAILURE_VIEW = "publishing.errors.csrf_failure"
CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_NAME = "__Host-session" if HTTPS else "session"
CSRF_COOKIE_NAME = "__Host-csrf" if HTTPS else "csrf"
SECURE_SSL_REDIRECT = HTTPS and environment.boolean("SECURE_SSL_REDIRECT", default=not EMBEDDED)
SECURE_REDIRECT_EXEMPT = [r"^health/"]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS and not EMBEDDED else 0
# Other names below the host's belong to whoever owns the domain, so its operator decides about them.
_HSTS = environment.one_of("HSTS", ("host", "subdomains", "preload"))
SECURE_HSTS_INCLUDE_SUBDOMAINS = _HSTS in ("subdomains", "preload")
SECURE_HSTS_PRELOAD = _HSTS == "preload"
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# So many stand in a row before the service; without any, these headers are whatever the client wrote.
TRUSTED_PROXIES = environment.whole_number("TRUSTED_PROXIES", 0)
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# Tasks

CELERY_TASK_IGNORE_RESULT = True
# Every task may come twice, but for the one that says otherwise.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_QUEUES = queues.QUEUES
CELERY_TASK_ROUTES = {task: {"queue": queue} for task, queue in queues.ROUTES.items()}
CELERY_TASK_DEFAULT_QUEUE = queues.REST
CELERY_TASK_ANNOTATIONS = {task: queues.limits(queue) for task, queue in queues.ROUTES.items()}
CELERY_TASK_SOFT_TIME_LIMIT = queues.LIMITS[queues.REST]
CELERY_TASK_TIME_LIMIT = queues.LIMITS[queues.REST] + queues.GRACE
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# However long the broker is away: nobody is there to start a worker that has given up.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_WORKER_CONCURRENCY = int(environment.number("WORKER_PROCESSES", 2, least=1))
# A worker takes what it works at, and no more: what it holds when it dies waits for the sweep.
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A lost wake-up costs nothing but time: the due rows are the truth and the sweep finds them.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_TRANSPORT_OPTIONS = environment.broker_options(CELERY_BROKER_URL)
_SWEEP_SECONDS = environment.number("SWEEP_SECONDS", 10, least=1)
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "sweep-due-standings": {"task": "tournaments.sweep_due_standings", "schedule": _SWEEP_SECONDS},
    # After the standings, and never more often: a result waits for nobody who looks ahead.
    "compute-outlooks": {"task": "tournaments.compute_outlooks", "schedule": _SWEEP_SECONDS},
    "publish-what-is-due": {"task": "publishing.publish_what_is_due", "schedule": _SWEEP_SECONDS},
    "sweep-webhooks": {"task": "programs.sweep_webhooks", "schedule": _SWEEP_SECONDS},
    # Everything that goes because of its age.
    "erase-what-is-due": {"task": "config.erase_what_is_due", "schedule": 600.0},
}
if not EMBEDDED:
    # One process needs no sign of life of its other half, and a row would make every backup a new one.
    CELERY_BEAT_SCHEDULE |= {
        f"beat-heart-{queue.name}": {
            "task": "config.beat_heart",
            "schedule": queues.HEART,
            "args": [queue.name],
            "options": {"queue": queue.name},
        }
        for queue in queues.QUEUES
    }

# Webhooks

# On a laptop the programs that listen stand beside it; elsewhere a private address is somebody else's door.
WEBHOOKS_TO_PRIVATE = environment.boolean("WEBHOOKS_TO_PRIVATE", default=EMBEDDED)

# API

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["api.permissions.ActorAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["api.permissions.DeclaredAccess"],
    "DEFAULT_PARSER_CLASSES": ["api.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PAGINATION_CLASS": "api.pagination.Pages",
    "EXCEPTION_HANDLER": "api.problems.problem_response",
    "PAGE_SIZE": 50,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Tendone",
    "DESCRIPTION": "Tournaments of card games at local festivals, from entries to the final table.",
    "VERSION": "1",
    "CONTACT": {"name": "Whoever runs the service"},
    "LICENSE": {"name": "Proprietary", "identifier": "LicenseRef-Proprietary"},
    "SERVERS": [
        {"url": "/", "description": "The service that this description was read from."},
        {
            "url": "https://{host}",
            "description": "Any other.",
            "variables": {"host": {"default": "palio.example", "description": "Where it runs."}},
        },
    ],
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "api.openapi.name_titled",
        "api.openapi.add_the_rest",
    ],
    # Fields of one name with other choices: those of the palio are named after it.
    "ENUM_NAME_OVERRIDES": {
        "FormatEnum": "api.shapes.tournaments.FORMAT_KEYS",
        "RoundFormatEnum": "tournaments.formats.catalogue.STAGE_FORMATS",
        "WebhookStateEnum": ["active", "paused", "disabled"],
        "DeliveryStateEnum": "integrations.models.Delivery.State",
        "ProgressEnum": ["waiting", "playing", "done"],
        "TiePolicyEnum": "tournaments.settings.tournament.every_tie_policy",
        "DisputeEnum": "tournaments.settings.confirmation.DISPUTES",
        "PalioKindEnum": ["tournament", "other"],
        "PalioProgressEnum": ["waiting", "playing", "over", "decided"],
        "PalioTiePolicyEnum": ["same", "lots"],
    },
}

# Where Prometheus asks for figures; nothing is served without it.
METRICS_ADDRESS = environment.endpoint("METRICS_ADDRESS")

# Logs

LOGGING = logs.configuration(environment.log_level("LOG_LEVEL", "INFO"), as_json=not EMBEDDED)
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
