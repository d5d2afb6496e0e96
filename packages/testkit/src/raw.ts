import { randomBytes } from "node:crypto";
import { request, type IncomingHttpHeaders } from "node:http";

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request with exactly these headers, also those that fetch forbids. */
export async function raw(options: {
  readonly host?: string;
  readonly port: number;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}): Promise<RawAnswer> {
  return await new Promise((resolve, reject) => {
    const { host = "127.0.0.1", port, method = "GET", path, headers = {} } = options;
    const sent = request({ host, port, method, path, headers, agent: false });
    sent.on("error", reject);
    sent.on("upgrade", (answer, socket) => {
      socket.destroy();
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: "" });
    });
    sent.on("response", (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      answer.on("error", reject);
    });
    sent.end(options.body);
  });
}

/** The response to a WebSocket handshake as a browser sends it: 101 when it is accepted. */
export async function upgrade(port: number, path: string, headers: Readonly<Record<string, string>>): Promise<RawAnswer> {
  return await raw({
    port,
    path,
    headers: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": randomBytes(16).toString("base64"),
      ...headers,
    },
  });
}
