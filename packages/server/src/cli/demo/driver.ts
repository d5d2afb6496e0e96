import type { Random } from "#core/random.ts";
import { type Point, placeOn, type Street, type Streets } from "./streets.ts";

/** Metres per second squared. */
const acceleration = 2.5;
const braking = 4;
/** Speed through a crossing, in metres per second. */
const turning = 6;

/** Somebody who drives along the streets, and parks from time to time. */
export class Driver {
  readonly #streets: Streets;
  readonly #random: Random;
  /** Some are faster than others. */
  readonly #temper: number;
  #street: Street;
  #isForward: boolean;
  #along: number;
  #speed = 0;
  #parkedMs = 0;

  constructor(streets: Streets, random: Random) {
    this.#streets = streets;
    this.#random = random;
    this.#temper = 0.75 + 0.5 * random.next();
    this.#street = random.pick(streets.streets);
    this.#isForward = random.chance(0.5);
    this.#along = random.next() * this.#street.length;
  }

  get isParked(): boolean {
    return this.#parkedMs > 0;
  }

  /** Metres per second. */
  get speed(): number {
    return this.#speed;
  }

  get place(): Point & { readonly heading: number } {
    const { x, y, heading } = placeOn(this.#street, this.#isForward ? this.#along : this.#street.length - this.#along);
    return { x, y, heading: this.#isForward ? heading : (heading + 180) % 360 };
  }

  /** In small steps, so that nobody is beyond a crossing before turning there. */
  step(ms: number): void {
    for (let left = ms; left > 0; left -= 250) this.#drive(Math.min(250, left));
  }

  #drive(ms: number): void {
    if (this.#parkedMs > 0) {
      this.#parkedMs -= ms;
      return;
    }
    const seconds = ms / 1000;
    const left = this.#street.length - this.#along;
    const reachable = Math.sqrt(turning ** 2 + 2 * braking * Math.max(0, left - 5));
    const wanted = Math.min(this.#street.limit * this.#temper, reachable);
    const change = wanted > this.#speed ? acceleration : -braking;
    this.#speed =
      change > 0 ? Math.min(wanted, this.#speed + change * seconds) : Math.max(wanted, this.#speed + change * seconds);
    this.#along += this.#speed * seconds;
    if (this.#along >= this.#street.length) this.#turn();
  }

  #turn(): void {
    const over = this.#along - this.#street.length;
    const crossing = this.#isForward ? this.#street.to : this.#street.from;
    const ways = this.#streets.at[crossing]!;
    const others = ways.filter((street) => street !== this.#street);
    this.#street = this.#random.pick(others.length === 0 ? ways : others);
    this.#isForward = this.#street.from === crossing;
    this.#along = Math.min(over, this.#street.length);
    if (!this.#random.chance(0.04)) return;
    this.#along = 0;
    this.#speed = 0;
    this.#parkedMs = this.#random.between(5, 60) * 1000;
  }
}
