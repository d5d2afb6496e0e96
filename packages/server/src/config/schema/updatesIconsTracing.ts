import { accept, refuse } from "../parsed.ts";
import { parseHttpUrl } from "../web.ts";
import { attributeList, textMap } from "./collections.ts";
import { duration, filePath, flag, numeric, oneOf, text, textual } from "./kinds.ts";

const url = { parse: (value: string) => parseHttpUrl(value) };
const header = (value: string) => (/[\r\n]/.test(value) ? refuse("contains a line break", "write one line") : accept(value));

export const updateCheck = {
  enabled: flag({ default: true, meaning: "Look for new versions." }),
  interval: duration({ default: "6h", meaning: "Time between two looks." }, { min: "1m" }),
};

export const icons = {
  proxy: flag({ default: false, meaning: "Fetch icons from icons.apiUrl instead of local files." }),
  apiUrl: textual({ default: "https://api.iconify.design", meaning: "Address of the icon service, in proxy mode." }, url),
  path: filePath({ default: "./icons", meaning: "Folder of local icon sets, without proxy mode." }),
};

export const otlp = {
  enabled: flag({ default: false, meaning: "Export traces." }),
  type: oneOf(
    ["stdout", "otlptracegrpc", "otlptracehttp"],
    { default: "stdout", meaning: "Where traces go: standard output, or a collector by gRPC or HTTP." },
    { grpc: "otlptracegrpc", http: "otlptracehttp" },
  ),
  url: textual({ default: "http://localhost:4317", meaning: "Address of the collector." }, url),
  insecure: flag({ default: false, meaning: "Speak with the collector without TLS." }),
  timeout: duration({ default: "10s", meaning: "Longest time of one export." }, { min: "1ms" }),
  environment: text({ default: "dev", meaning: "Environment named in each trace." }),
  ratio: numeric({ default: 0.1, meaning: "Share of requests that are traced, 0 to 1." }, { min: 0, max: 1 }, "float"),
  attributes: attributeList({
    example: "[region=eu, {key: community, value: Example}]",
    meaning: "Further attributes of each trace.",
  }),
  headers: textMap({ secret: true, example: "{x-api-key: text}", meaning: "Further headers sent to the collector." }, header),
  compression: oneOf(["gzip", "none"], { example: "gzip", meaning: "Compression of exports." }),
  frontend: {
    url: textual(
      {
        example: "https://traces.example.org/v1/traces",
        meaning: "Collector of browser traces; empty switches them off.",
      },
      url,
    ),
    headers: textMap(
      {
        example: "{x-community: text}",
        meaning: "Further headers sent by the browser. Everyone can read them.",
      },
      header,
    ),
  },
};
