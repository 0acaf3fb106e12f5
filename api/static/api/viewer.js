// Shows the OpenAPI description; nothing is loaded from anywhere else.
const viewer = document.getElementById("viewer");

SwaggerUIBundle({
  url: viewer.dataset.description,
  dom_id: "#viewer",
  deepLinking: true,
  docExpansion: "list",
  validatorUrl: null,
  syntaxHighlight: false,
});
