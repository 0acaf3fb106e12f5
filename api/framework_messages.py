"""Texts of the framework that the API answers with, so that the catalogue has their Italian.

The framework's own catalogue lacks some of them, and speaks of its classes in others.
"""

from django.utils.translation import gettext_noop as _

MESSAGES = (
    # rest_framework.exceptions
    _("A server error occurred."),
    _("Invalid input."),
    _("Malformed request."),
    _("Incorrect authentication credentials."),
    _("Authentication credentials were not provided."),
    _("You do not have permission to perform this action."),
    _("Not found."),
    _('Method "{method}" not allowed.'),
    _("Could not satisfy the request Accept header."),
    _('Unsupported media type "{media_type}" in request.'),
    _("Request was throttled."),
    # rest_framework.pagination
    _("Invalid page."),
    # rest_framework.fields, serializers and validators
    _("This field is required."),
    _("This field may not be null."),
    _("This field may not be blank."),
    _("Not a valid string."),
    _("Must be a valid boolean."),
    _("Must be a valid UUID."),
    _("Value must be valid JSON."),
    _("A valid integer is required."),
    _("String value too large."),
    _("Ensure this value is less than or equal to {max_value}."),
    _("Ensure this value is greater than or equal to {min_value}."),
    _("Ensure this field has no more than {max_length} characters."),
    _("Ensure this field has at least {min_length} characters."),
    _("Surrogate characters are not allowed: U+{code_point:X}."),
    _("This value does not match the required pattern."),
    _('"{input}" is not a valid choice.'),
    _("Date has wrong format. Use one of these formats instead: {format}."),
    _("Expected a date but got a datetime."),
    _("Datetime has wrong format. Use one of these formats instead: {format}."),
    _("Expected a datetime but got a date."),
    _('Invalid datetime for the timezone "{timezone}".'),
    _("Datetime value out of range."),
    _('Expected a list of items but got type "{input_type}".'),
    _("This list may not be empty."),
    _("Ensure this field has at least {min_length} elements."),
    _("Ensure this field has no more than {max_length} elements."),
    _('Expected a dictionary of items but got type "{input_type}".'),
    _("This dictionary may not be empty."),
    _("Invalid data. Expected a dictionary, but got {datatype}."),
)
