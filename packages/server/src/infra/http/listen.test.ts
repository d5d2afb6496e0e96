import { createServer } from "node:net";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { listen } from "./listen.ts";

test("a port that another process of the same configuration has is refused with one that nobody else on the network reaches", async () => {
  const first = createServer();
  await new Promise<void>((resolve) => first.listen(0, "127.0.0.1", resolve));
  const { port } = first.address() as { port: number };
  const app = Fastify();
  try {
    await expect(listen(app, { host: "127.0.0.1", port }, "http.adminListen")).rejects.toThrow(
      `http.adminListen: 127.0.0.1:${port} is in use by another program; stop it, or give this process another port (ROLLCALL_HTTP_ADMINLISTEN=127.0.0.1:${port + 1} does so beside a file that several processes share)`,
    );
  } finally {
    await app.close();
    first.close();
  }
});
