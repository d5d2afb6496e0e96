import { createServer } from "node:net";

/** Below the range from which systems take the ports of outgoing connections, which could take a port before its program does. */
const ports = { first: 16_000, each: 2_000, ranges: 8 };
let lastPort = Math.floor(Math.random() * ports.each);

async function isFree(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/** A free port that no other caller gets soon: each test process has a range of its own and goes through it. */
export async function freePort(): Promise<number> {
  const range = Number(process.env["VITEST_POOL_ID"] ?? process.pid) % ports.ranges;
  for (let tries = 0; tries < ports.each; tries += 1) {
    lastPort = (lastPort + 1) % ports.each;
    const port = ports.first + range * ports.each + lastPort;
    if (await isFree(port)) return port;
  }
  throw new Error(`every port from ${ports.first + range * ports.each} on is in use`);
}
