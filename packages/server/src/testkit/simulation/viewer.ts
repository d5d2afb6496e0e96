import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import type { SimulatedDatabase } from "./database.ts";
import type { SimulatedProcess } from "./process.ts";
import type { Simulation } from "./simulation.ts";

const lookMs = 250;
/** A browser gives a silent connection up. */
const silentMs = 45_000;

/** A browser that follows all objects, and resumes where it was after each interruption. */
export class SimulatedViewer {
  /** By object: the version that it shows. */
  readonly shown = new Map<string, number>();
  readonly #simulation: Simulation;
  readonly #database: SimulatedDatabase;
  readonly #processes: () => readonly SimulatedProcess[];
  #position: { epoch: string; seq: number } | null = null;
  resumed = 0;

  constructor(simulation: Simulation, database: SimulatedDatabase, processes: () => readonly SimulatedProcess[]) {
    this.#simulation = simulation;
    this.#database = database;
    this.#processes = processes;
  }

  start(): void {
    const ready = this.#processes().filter(({ hub, life }) => hub !== null && !life.isDead);
    if (ready.length === 0) this.#again();
    else this.#connect(this.#simulation.pick(ready));
  }

  #again(): void {
    this.#simulation.schedule(this.#simulation.between(100, 3000), () => this.start());
  }

  #connect({ hub, life }: SimulatedProcess): void {
    const client = new TestClient(hub!);
    let [seen, heardAt, pongedAt, subscribed] = [0, this.#simulation.elapsed, 0, false];
    client.send({ type: "auth", token: "ann" });
    const look = () => {
      const messages = client.messages();
      for (; seen < messages.length; seen += 1) {
        const message = messages[seen]!;
        heardAt = this.#simulation.elapsed;
        if (message.type === "subscribed") this.#begin(message);
        if (message.type === "event") this.#apply(message);
      }
      if (!subscribed && client.of("ready").length > 0) {
        subscribed = true;
        client.send({ type: "subscribe", topic: "people", ...(this.#position ? { after: this.#position } : {}) });
      }
      const { elapsed } = this.#simulation;
      if (life.isDead || client.closed !== null || elapsed - heardAt > silentMs) {
        client.leave();
        return this.#again();
      }
      if (elapsed - pongedAt > 5000) {
        pongedAt = elapsed;
        client.pong();
      }
      this.#simulation.schedule(lookMs, look);
    };
    this.#simulation.schedule(lookMs, look);
  }

  #begin({ mode, epoch, seq }: { mode: string; epoch: string; seq: number }): void {
    this.#position = { epoch, seq };
    if (mode === "resumed") this.resumed += 1;
    // A snapshot: the browser asks for the rows after it has the position.
    else for (const { key, version } of this.rows()) this.#show(key, version);
  }

  rows(): readonly { key: string; version: number }[] {
    return this.#database.sqlite.prepare("select key, version from objects order by key").all() as {
      key: string;
      version: number;
    }[];
  }

  #apply({ epoch, seq, data }: { epoch: string; seq: number; data?: unknown }): void {
    this.#position = { epoch, seq };
    const [key = "", version = "0"] = (data as { name: string }).name.split(":");
    this.#show(key, Number(version));
  }

  #show(key: string, version: number): void {
    this.shown.set(key, Math.max(version, this.shown.get(key) ?? 0));
  }
}
