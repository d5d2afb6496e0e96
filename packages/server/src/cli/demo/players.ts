import type { DutyEvent, Position } from "@rollcall/sync-sdk";
import { createRandom, type Random } from "#core/random.ts";
import { Driver } from "./driver.ts";
import type { Streets } from "./streets.ts";

/** A character that somebody plays. */
export interface Resident {
  readonly identifier: string;
  readonly jobs: readonly { readonly name: string; readonly grade: number }[];
  /** On duty all the time, and never hidden: a login that people try. */
  readonly isSteady?: boolean;
}

/** `frozen`: the game has crashed, which its server notices only later. `gone`: dropped, and comes back. */
type Presence = "there" | "frozen" | "gone";

/** What the game server knows of a player at an instant. */
export interface PlayerState {
  readonly identifier: string;
  /** Null for off duty. */
  readonly job: string | null;
  readonly presence: Presence;
  readonly isHidden: boolean;
}

/** What happened to players in a step, in its order. */
export interface Step {
  readonly events: readonly DutyEvent[];
  /** Who is on duty and there. */
  readonly places: readonly Position[];
  /** Who is nowhere any more. */
  readonly removed: readonly string[];
}

/** How often something happens to a player, in seconds on average. */
export const usualEvery = { off: 2400, on: 300, hide: 1200, drop: 1800, freeze: 3600 } as const;
export type Every = Readonly<Record<keyof typeof usualEvery, number>>;

/** How long it lasts, in seconds from and to. */
const lasts = { hidden: [20, 180], gone: [15, 240], frozen: [30, 60] } as const;

interface Player {
  readonly resident: Resident;
  readonly driver: Driver;
  readonly plate: string;
  job: string | null;
  presence: Presence;
  isHidden: boolean;
  /** What passes by itself passes after so long. */
  hiddenMs: number;
  presenceMs: number;
}

/** Players of a game server who drive around, change duty, hide, drop, crash and come back; the same for the same seed. */
export class Players {
  readonly #random: Random;
  readonly #every: Every;
  readonly #players: Player[];

  constructor(options: {
    readonly random: Random;
    readonly streets: Streets;
    readonly residents: readonly Resident[];
    readonly every?: Partial<Every>;
  }) {
    const { random, streets, residents, every = {} } = options;
    this.#random = random;
    this.#every = { ...usualEvery, ...every };
    this.#players = residents.map((resident, i) => ({
      resident,
      driver: new Driver(streets, createRandom(random.between(0, 0xffff_ffff))),
      plate: `RC ${String(1000 + i)}`,
      job: resident.isSteady === true || random.chance(0.8) ? (resident.jobs[0]?.name ?? null) : null,
      presence: "there",
      isHidden: false,
      hiddenMs: 0,
      presenceMs: 0,
    }));
  }

  get states(): readonly PlayerState[] {
    return this.#players.map(({ resident: { identifier }, job, presence, isHidden }) => ({
      identifier,
      job,
      presence,
      isHidden,
    }));
  }

  /** Who is on duty, as events: for a game server that starts. */
  onDuty(): DutyEvent[] {
    return this.#players.flatMap(({ resident: { identifier }, job, presence }) =>
      job === null || presence === "gone" ? [] : [{ identifier, event: "on" as const, job }],
    );
  }

  step(ms: number): Step {
    const events: DutyEvent[] = [];
    const removed: string[] = [];
    for (const player of this.#players) {
      const { identifier } = player.resident;
      const wasShown = isShown(player);
      if (player.presence === "there") player.driver.step(ms);
      events.push(...this.#happens(player, ms).map((event) => ({ identifier, ...event })));
      if (wasShown && !isShown(player)) removed.push(identifier);
    }
    return { events, removed, places: this.#players.filter(isShown).map(placeOf) };
  }

  #happens(player: Player, ms: number): Omit<DutyEvent, "identifier">[] {
    if (player.presence !== "there") return this.#comesBack(player, ms);
    if (player.resident.isSteady === true) return [];
    this.#hides(player, ms);
    if (this.#occurs("drop", ms)) {
      this.#leaves(player, "gone");
      return [{ event: "dropped" }];
    }
    if (this.#occurs("freeze", ms)) this.#leaves(player, "frozen");
    return this.#changesDuty(player, ms);
  }

  #comesBack(player: Player, ms: number): Omit<DutyEvent, "identifier">[] {
    player.presenceMs -= ms;
    if (player.presenceMs > 0) return [];
    if (player.presence === "frozen") {
      this.#leaves(player, "gone");
      return [{ event: "dropped" }];
    }
    player.presence = "there";
    return [{ event: "loaded" }];
  }

  #leaves(player: Player, presence: "gone" | "frozen"): void {
    player.presence = presence;
    player.presenceMs = this.#drawMs(presence);
  }

  #hides(player: Player, ms: number): void {
    player.hiddenMs -= ms;
    if (player.isHidden) player.isHidden = player.hiddenMs > 0;
    else if (this.#occurs("hide", ms)) {
      player.isHidden = true;
      player.hiddenMs = this.#drawMs("hidden");
    }
  }

  #changesDuty(player: Player, ms: number): Omit<DutyEvent, "identifier">[] {
    const { jobs } = player.resident;
    if (player.job === null) {
      if (jobs.length === 0 || !this.#occurs("on", ms)) return [];
      player.job = this.#random.pick(jobs).name;
      return [{ event: "on", job: player.job }];
    }
    if (!this.#occurs("off", ms)) return [];
    const { job } = player;
    player.job = null;
    // Some frameworks name the job that somebody has off duty.
    return [this.#random.chance(0.5) ? { event: "off", job } : { event: "off", job: `off${job}` }];
  }

  #occurs(what: keyof Every, ms: number): boolean {
    return this.#random.chance(1 - Math.exp(-ms / (this.#every[what] * 1000)));
  }

  #drawMs(what: keyof typeof lasts): number {
    const [from, to] = lasts[what];
    return this.#random.between(from, to) * 1000;
  }
}

const isShown = ({ job, presence }: Player): boolean => job !== null && presence !== "gone";

const rounded = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;

function placeOf({ resident: { identifier }, driver, plate, isHidden }: Player): Position {
  const { x, y, heading } = driver.place;
  const moving = { speed: rounded(driver.isParked ? 0 : driver.speed, 1), vehicle: driver.isParked ? null : plate };
  const place = { identifier, x: rounded(x, 1), y: rounded(y, 1), z: 30, heading: rounded(heading, 0) % 360, ...moving };
  return isHidden ? { ...place, hidden: true } : place;
}
