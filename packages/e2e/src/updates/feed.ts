import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A release feed of this machine. */
export interface Feed {
  readonly url: string;
  /** Offered versions, with notes. */
  versions: string[];
  asked(): number;
  close(): Promise<void>;
}

export async function startFeed(...versions: string[]): Promise<Feed> {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    const releases = feed.versions.map((version) => ({ version, notes: `What is new in ${version}: <b>nothing bold</b>` }));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ releases }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const feed: Feed = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/releases.json`,
    versions,
    asked: () => asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return feed;
}
