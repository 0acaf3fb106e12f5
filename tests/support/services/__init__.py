"""The services that tests need, each started by itself: PostgreSQL, a broker, a browser, a task worker."""
