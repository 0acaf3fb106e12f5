"""The endpoints, a file for each subject: read, call a service, answer."""
