import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { endWithTests } from "./children.ts";

/** An address behind which no service answers. */
export interface Unanswering {
  readonly port: number;
  close(): Promise<void>;
}

async function listener(onSocket: (socket: Socket) => void): Promise<Unanswering> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    onSocket(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Accepts connections, reads and never answers, after a greeting if there is one. */
export async function silent(greeting?: string): Promise<Unanswering> {
  return await listener((socket) => {
    socket.resume();
    if (greeting !== undefined) socket.write(greeting);
  });
}

/** Accepts connections and closes them at once. */
export async function closing(): Promise<Unanswering> {
  return await listener((socket) => void socket.end());
}

const frozen = `
  const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    process.stdout.write(String(server.address().port), () => process.kill(process.pid, "SIGSTOP"));
  });
`;

/** Whether a connection is established within a short time. */
async function connects(socket: Socket): Promise<boolean> {
  return await Promise.race([
    once(socket, "connect").then(() => true),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 300)),
  ]);
}

/** Drops every SYN packet: the backlog of a stopped process, filled up. */
export async function blackHole(): Promise<Unanswering> {
  const child = endWithTests(spawn(process.execPath, ["-e", frozen], { stdio: ["ignore", "pipe", "inherit"] }));
  const [text] = (await once(child.stdout, "data")) as [Buffer];
  const port = Number(text.toString());
  const fillers: Socket[] = [];
  let open: boolean;
  do {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    fillers.push(socket);
    open = await connects(socket);
  } while (open);
  return {
    port,
    async close() {
      for (const socket of fillers) socket.destroy();
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
  };
}
