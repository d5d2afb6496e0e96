/**
 * The viewers of the live row, in a process of their own: opens the sockets that the parent requests
 * and reports how long each change took to arrive, measured from the time in the message itself, or from the one that the
 * order finds in it. Both processes read the clock of one machine.
 */
import { WebSocket } from "ws";

export interface ViewersOrder {
  readonly url: string;
  readonly origin: string;
  /** One token for each group of sockets; without any, the sockets only listen. */
  readonly tokens: readonly string[];
  readonly socketsPerToken: number;
  readonly topic: string;
  /** A pattern whose first group is the instant to measure from; messages without it do not count. */
  readonly from?: string;
}

interface Heard {
  readonly type?: string;
  readonly at?: number;
}

const sockets: WebSocket[] = [];
let latencies: number[] = [];
let dropped = 0;

function join(order: ViewersOrder, token: string | null): Promise<void> {
  const from = order.from === undefined ? null : new RegExp(order.from);
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(order.url, { origin: order.origin, perMessageDeflate: false });
    sockets.push(socket);
    socket.on("error", reject);
    socket.on("close", () => void (dropped += 1));
    socket.on("open", () => (token === null ? resolve() : socket.send(JSON.stringify({ type: "auth", token }))));
    socket.on("message", (data: Buffer) => {
      const arrived = Date.now();
      const text = data.toString();
      const message = JSON.parse(text) as Heard;
      const at = from === null ? message.at : Number(from.exec(text)?.[1]);
      if (message.type === "event") latencies.push(...(at === undefined || Number.isNaN(at) ? [] : [arrived - at]));
      else if (message.type === "ready") socket.send(JSON.stringify({ type: "subscribe", topic: order.topic }));
      else if (message.type === "subscribed") resolve();
      else if (message.type === "ping") socket.send(JSON.stringify({ type: "pong" }));
      else if (message.type === "refused" || message.type === "error") reject(new Error(data.toString()));
    });
  });
}

async function open(order: ViewersOrder): Promise<void> {
  const tokens = order.tokens.length === 0 ? [null] : order.tokens;
  for (const token of tokens) await Promise.all(Array.from({ length: order.socketsPerToken }, () => join(order, token)));
}

process.on("message", (message: ViewersOrder | "report" | "close") => {
  if (message === "report") {
    process.send!({ latencies, dropped });
    latencies = [];
  } else if (message === "close") {
    for (const socket of sockets.splice(0)) socket.removeAllListeners("close").close();
    process.send!("closed");
  } else {
    void open(message).then(
      () => process.send!("open"),
      (error: Error) => process.send!({ failed: error.message }),
    );
  }
});
