// How the client is generated: fetch, types, and Zod schemas that check what is sent and what is answered.
export default {
  input: process.env.DESCRIPTION,
  output: { path: process.env.CLIENT, module: { extension: ".js" } },
  logs: { level: "warn", file: false },
  plugins: [
    "@hey-api/client-fetch",
    "@hey-api/typescript",
    { name: "zod", dates: { offset: true } },
    { name: "@hey-api/sdk", validator: true },
  ],
};
