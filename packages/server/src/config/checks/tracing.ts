import { type Environment, expandAttributes } from "../environment.ts";
import { isLoopback } from "../listen.ts";
import type { CheckContext } from "./context.ts";

/** Header names that the protocols allow. */
const headerName = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;

/** Rules between the options of `otlp`. */
export function checkTracing({ draft: { otlp }, problem, warning }: CheckContext, env: Environment): void {
  const { type, url, insecure, frontend } = otlp;
  for (const [path, headers] of Object.entries({ "otlp.headers": otlp.headers, "otlp.frontend.headers": frontend.headers })) {
    for (const name of Object.keys(headers ?? {}))
      if (!headerName.test(name)) problem(path, `"${name}" is not the name of a header`, "write for example x-api-key");
  }
  expandAttributes(otlp.attributes ?? [], env, (name) =>
    warning("otlp.attributes", `names the environment variable ${name}, which is not set`, `set ${name}, or remove \${${name}}`, {
      code: "tracesVariable",
      params: { name },
    }),
  );
  if (otlp.enabled === false) {
    if (frontend.url)
      warning("otlp.frontend.url", "has no effect while otlp.enabled is false", "set otlp.enabled to true, or leave it empty", {
        code: "tracesUrlUnused",
      });
    return;
  }
  if (type === "stdout" || url === undefined) return;
  const { protocol, hostname, host, pathname } = new URL(url);
  const bare = hostname.replace(/^\[|\]$/g, "");
  if (protocol === "http:" && insecure === false && !isLoopback({ host: bare, port: 0 })) {
    problem(
      "otlp.url",
      `${url} is not encrypted, and otlp.insecure is false`,
      `write https://${host}, or set otlp.insecure to true`,
    );
  }
  if (protocol === "https:" && insecure === true)
    warning("otlp.insecure", "is true, but otlp.url is https://, so TLS is used", "write false, or http:// in otlp.url", {
      code: "tracesTls",
    });
  if (type === "otlptracegrpc" && pathname !== "/")
    warning("otlp.url", "has a path, which gRPC does not use", `write ${protocol}//${host}`, {
      code: "tracesPath",
      params: { url: `${protocol}//${host}` },
    });
}
