import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A TCP proxy on a free local port, for tests that break a connection. */
export interface Proxy {
  readonly port: number;
  /** Number of open connections. */
  readonly open: number;
  /** Breaks every connection. */
  cut(): void;
  /** Closes new connections at once, until `accept`. */
  refuse(): void;
  accept(): void;
  /** Stops forwarding data, without closing connections. */
  freeze(): void;
  thaw(): void;
  /** Breaks the connection of the first client that sends bytes accepted by `when`, before they arrive. */
  cutWhen(when: (sent: Buffer) => boolean): void;
  close(): Promise<void>;
}

export async function createProxy(target: { host: string; port: number }): Promise<Proxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let refusing = false;
  let frozen = false;
  let trap: ((sent: Buffer) => boolean) | null = null;

  const server = createServer((client) => {
    client.on("error", () => undefined);
    if (refusing) {
      client.destroy();
      return;
    }
    const upstream = connect(target.port, target.host);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of pair) socket.on("close", end).on("error", end);
    client.on("data", (sent) => {
      if (trap?.(sent)) {
        trap = null;
        end();
      } else {
        upstream.write(sent);
      }
    });
    upstream.on("data", (sent) => client.write(sent));
    if (frozen) for (const socket of pair) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const each = (action: (socket: Socket) => void) => [...pairs].flat().forEach(action);
  return {
    port: (server.address() as AddressInfo).port,
    get open() {
      return pairs.size;
    },
    cut: () => each((socket) => socket.destroy()),
    refuse: () => void (refusing = true),
    accept: () => void (refusing = false),
    freeze() {
      frozen = true;
      each((socket) => socket.pause());
    },
    thaw() {
      frozen = false;
      each((socket) => socket.resume());
    },
    cutWhen: (when) => void (trap = when),
    async close() {
      each((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
