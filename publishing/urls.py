"""The public addresses."""

from django.urls import path

from publishing.views.home import home

app_name = "publishing"

urlpatterns = [path("", home, name="home")]
