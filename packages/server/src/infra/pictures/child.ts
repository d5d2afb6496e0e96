import { writeFileSync } from "node:fs";
import { badPicture, encode, loadSharp, type SharpModule, webp } from "./encode.ts";
import type { PicturePool, PictureReply, PictureTask } from "./protocol.ts";

// The child process that handles pictures, forked by `process.ts`. It has no secrets, and its parent kills it when a task takes too long.

/** Memory limit of the whole process; the largest accepted upload needs some 400 MB. */
const maxResidentBytes = 640 * 1024 * 1024;
const checkEveryMs = 100;

// Any other way of ending would wait for the threads of the decoder.
const die = () => process.kill(process.pid, "SIGKILL");
const send = (reply: PictureReply, sent?: () => void) => void process.send!(reply, undefined, undefined, sent);

async function answer(sharp: SharpModule, task: PictureTask): Promise<PictureReply> {
  try {
    if (task.kind === "encode") return { encoded: await encode(sharp, task.bytes, task.target) };
    return { webp: await webp(sharp, task.bytes, task.target) };
  } catch (error) {
    const { problem, cause } = badPicture(error);
    return { problem, reason: cause instanceof Error ? cause.message : problem };
  }
}

/** Ends the process when the task takes too much memory. */
function guardMemory(): { end(): void } {
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() <= maxResidentBytes) return;
    clearInterval(timer);
    send({ problem: "tooLong", reason: "it took too much memory", last: true }, die);
  }, checkEveryMs);
  return { end: () => clearInterval(timer) };
}

/** Makes this process the first to be killed when the machine or container runs out of memory. */
function preferOomKill(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Only Linux has this file.
  }
}

async function begin(): Promise<void> {
  process.title = "rollcall pictures";
  process.on("disconnect", die);
  preferOomKill();
  const sharp = await loadSharp(process.argv[2] as PicturePool);
  process.on("message", (task: PictureTask) => {
    const guard = guardMemory();
    void answer(sharp, task)
      .finally(() => guard.end())
      .then((reply) => send(reply));
  });
  send({ ready: true });
}

begin().catch((error: unknown) => send({ fault: (error as Error).message }, die));
