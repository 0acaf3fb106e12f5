"""The addresses of parents' slips, below /s/: no event ever has this slug."""

from django.urls import path

from publishing.views.parents_slip import door, slip

app_name = "slip"

urlpatterns = [
    path("", door, name="door"),
    path("<str:slip>/", slip, name="slip"),
]
