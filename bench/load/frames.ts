/**
 * The baseline of the positions row, in a process of its own: a bare WebSocket server that sends frames of the same
 * lengths to as many sockets, which the parent opens, and says how much processor time that took.
 */
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import type { FramesReport } from "./positions.ts";

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
server.on("listening", () => process.send!((server.address() as AddressInfo).port));

/** Sends for so long; the sockets of a group follow one another, as they were opened. */
async function broadcast(groups: FramesReport, ms: number): Promise<number> {
  const before = process.cpuUsage();
  const sockets = [...server.clients];
  const each = sockets.length / groups.length;
  const most = Math.max(...groups.map((lengths) => lengths.length));
  const buffers = groups.map((lengths) => lengths.map((length) => Buffer.alloc(length, 7)));
  for (let i = 0; i < most; i += 1) {
    for (const [g, frames] of buffers.entries()) {
      const frame = frames[i];
      if (frame) for (const socket of sockets.slice(g * each, (g + 1) * each)) socket.send(frame);
    }
    await new Promise((resolve) => setTimeout(resolve, ms / most));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

process.on("message", ({ groups, ms }: { groups: FramesReport; ms: number }) => {
  void broadcast(groups, ms).then((cpu) => process.send!(cpu));
});
