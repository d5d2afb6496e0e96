import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

/** A server that a test has started. */
export interface Listener {
  readonly port: number;
  close(): void;
}

/** A self-signed certificate for localhost. */
function certificate(): { key: string; cert: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "rollcall-tls-"));
  const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  const made = spawnSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=localhost",
      "-addext",
      "subjectAltName=DNS:localhost",
      "-keyout",
      key,
      "-out",
      cert,
    ],
    { encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`);
  const pair = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  rmSync(folder, { recursive: true });
  return pair;
}

/** Terminates TLS on `port` and forwards to `target` on loopback, as an operator's proxy does. */
export async function startTlsProxy(port: number, target: number): Promise<Listener> {
  const server = createSecureServer(certificate(), (incoming, outgoing) => {
    const headers = { ...incoming.headers, "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" };
    const onward = ask({ host: "127.0.0.1", port: target, method: incoming.method, path: incoming.url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.writeHead(502).end());
    incoming.pipe(onward);
  });
  server.on("upgrade", (incoming, socket, head) => {
    const onward = connect({ host: "127.0.0.1", port: target }, () => {
      const lines = Array.from(
        { length: incoming.rawHeaders.length / 2 },
        (_line, i) => `${incoming.rawHeaders[i * 2]}: ${incoming.rawHeaders[i * 2 + 1]}`,
      );
      onward.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The page of a game resource that shows the application in a frame. */
export async function startTabletPage(port: number, address: () => string): Promise<Listener> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(
      `<!doctype html><title>Tablet</title><body style="margin:0"><iframe name="tablet" src="${address()}" style="width:1024px;height:700px;border:0"></iframe>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
