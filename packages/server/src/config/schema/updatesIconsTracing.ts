import { accept, refuse } from "../parsed.ts";
import { parseHttpUrl } from "../web.ts";
import { attributeList, textMap } from "./collections.ts";
import { duration, filePath, flag, numeric, oneOf, text, textual } from "./kinds.ts";

/** The operation that receives spans of browsers. */
const tracesPath = "/api/traces";
const inEffect = true;
const url = { parse: (value: string) => parseHttpUrl(value) };
const header = (value: string) => (/[\r\n]/.test(value) ? refuse("contains a line break", "write one line") : accept(value));

/** A URL, or a path of this instance from which the server forwards spans. */
function browserUrl(value: string) {
  if (!value.startsWith("/")) return parseHttpUrl(value, "https://traces.example.org/v1/traces");
  if (!/^\/[\w.~-]+(\/[\w.~-]+)*$/.test(value)) return refuse(`"${value}" is not a plain path`, `write ${tracesPath}`);
  if (value.startsWith("/api/") && value !== tracesPath)
    return refuse(`${value} belongs to the API of this instance`, `write ${tracesPath}`);
  return accept(value);
}

export const updateCheck = {
  enabled: flag({ default: true, inEffect, meaning: "Check for new versions." }),
  interval: duration({ default: "6h", inEffect, meaning: "Time between checks." }, { min: "1m" }),
  feedURL: textual(
    {
      inEffect,
      own: true,
      example: "https://updates.example.org/releases.json",
      meaning:
        "URL of the release feed, a JSON file `{releases: [{version, notes, url, publishedAt}]}`. Without one nothing is checked.",
    },
    { parse: (value: string) => parseHttpUrl(value, "https://updates.example.org/releases.json") },
  ),
};

export const icons = {
  proxy: flag({ default: false, inEffect: true, meaning: "Fetch icons from icons.apiUrl instead of local files." }),
  apiUrl: textual(
    { default: "https://api.iconify.design", inEffect: true, meaning: "URL of the icon service in proxy mode." },
    url,
  ),
  path: filePath({
    default: "./icons",
    inEffect: true,
    meaning:
      "Folder of local icon sets (`<set>.json`), without proxy mode. If the default does not exist, the set that comes with Rollcall is used.",
  }),
};

export const otlp = {
  enabled: flag({ default: false, inEffect, meaning: "Export traces." }),
  type: oneOf(
    ["stdout", "otlptracegrpc", "otlptracehttp"],
    { default: "stdout", inEffect, meaning: "Output of traces: standard output, or a collector by gRPC or HTTP." },
    { grpc: "otlptracegrpc", http: "otlptracehttp" },
  ),
  url: textual(
    {
      default: "http://localhost:4317",
      inEffect,
      meaning: "URL of the collector; for otlptracehttp a URL without a path gets /v1/traces.",
    },
    url,
  ),
  insecure: flag({
    default: false,
    inEffect,
    meaning: "Connect to the collector without TLS: required for http://, except on this machine.",
  }),
  timeout: duration({ default: "10s", inEffect, meaning: "Timeout of an export." }, { min: "1ms" }),
  environment: text({ default: "dev", inEffect, meaning: "Environment in each trace: deployment.environment.name." }),
  ratio: numeric(
    {
      default: 0.1,
      inEffect,
      meaning: "Share of traces that are exported, 0 to 1; the traceparent of a signed-in caller takes precedence.",
    },
    { min: 0, max: 1 },
    "float",
  ),
  attributes: attributeList({
    inEffect,
    example: "[region=eu, {key: community, value: Example}]",
    meaning: "Additional attributes of each trace; ${NAME} in a value is an environment variable.",
  }),
  headers: textMap(
    { secret: true, inEffect, example: "{x-api-key: text}", meaning: "Additional headers sent to the collector." },
    header,
  ),
  compression: oneOf(["gzip", "none"], { inEffect, example: "gzip", meaning: "Compression of exports." }),
  frontend: {
    url: textual(
      {
        inEffect,
        example: "https://traces.example.org/v1/traces",
        meaning:
          "Collector of browser traces (OTLP over HTTP), or a path such as /api/traces, from which the server forwards them; an empty value disables them.",
      },
      { parse: browserUrl },
    ),
    headers: textMap(
      {
        inEffect,
        example: "{x-community: text}",
        meaning: "Additional headers sent by the browser. Everyone can read them.",
      },
      header,
    ),
  },
};
