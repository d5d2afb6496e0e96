/**
 * The server side of the images row, in a process of its own: the composed program of the folder in
 * the first argument, a site with one picture, and bare Fastify that serves the same bytes as a file.
 * Sends the addresses of both to the parent, which sends the signal to stop.
 */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import Fastify from "fastify";
import sharp from "sharp";
import type { Instance } from "@rollcall/testkit/program.ts";
import { imageProxyApi } from "../../packages/server/src/features/imageproxy/imageproxy.api.ts";
import { compose } from "../kit/program.ts";

const folder = process.argv[2]!;
const app = await compose({ folder } as Instance);
const { port } = await app.start();

/** A picture of the size of a photograph on a page. */
async function photograph(): Promise<Buffer> {
  const [width, height] = [900, 600];
  const pixels = Buffer.from(Array.from({ length: width * height * 3 }, (_, i) => (i / 7 + ((i * i) % 31)) & 255));
  return await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer();
}

const picture = await photograph();
let fetches = 0;
const site = createServer((_request, response) => {
  fetches += 1;
  response.end(picture);
}).listen(0, "127.0.0.1");
await once(site, "listening");

const route = app.assembly
  .api(imageProxyApi)
  .imageProxyUrl(`http://127.0.0.1:${(site.address() as AddressInfo).port}/photograph.jpg`, 512);
if (route === null) throw new Error("the picture of the benchmark is not allowed");
const ours = `http://127.0.0.1:${port}${route}`;
const bytes = Buffer.from(await (await fetch(ours)).arrayBuffer());

writeFileSync(path.join(folder, "data", "photograph.webp"), bytes);
const server = Fastify();
await server.register(fastifyStatic, { root: path.join(folder, "data"), maxAge: 1_800_000 });
await server.listen({ host: "127.0.0.1", port: 0 });
const file = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/photograph.webp`;

process.on("message", (message: "fetches" | "stop") => {
  if (message === "fetches") process.send!({ fetches });
  else void app.stop().then(() => process.exit(0));
});
process.send!({ ours, file, size: bytes.length });
