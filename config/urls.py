"""All addresses: Italian pages without a prefix, English ones below /en/, all else without either."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import include, path, re_path

from api.views.nowhere import nowhere
from config.operator_sign_in import operators_door

urlpatterns = [
    path("health/", include("config.health")),
    path("api/v1/", include("api.urls")),
    # Other editions, and mistakes: a program is told so as everywhere below.
    path("api/", include(([re_path("", nowhere, name="nowhere")], "no-api"))),
    path("operator/login/", operators_door, name="operators-door"),
    path("operator/", admin.site.urls),
    path("live/", include("publishing.live_urls")),
    *i18n_patterns(
        path("desk/", include("desk.urls")),
        path("t/", include("referee.urls")),
        path("s/", include("publishing.parents_slip_urls")),
        path("", include("publishing.urls")),
        prefix_default_language=False,
    ),
]

handler400 = "publishing.errors.bad_request"
handler403 = "publishing.errors.forbidden"
handler404 = "publishing.errors.not_found"
handler500 = "publishing.errors.server_error"
