import type { User, Vehicle } from "@rollcall/sync-sdk";
import { firstNames, lastNames } from "../../packages/server/src/cli/demo/names.ts";
import { createRandom, type Random } from "../../packages/server/src/core/random.ts";
import { vehicleModels } from "../../packages/server/src/features/vehicles/vehicles.demo.policy.ts";

const onsets = ["b", "br", "d", "f", "g", "h", "k", "kl", "l", "m", "n", "p", "r", "s", "st", "t", "v", "w", "z"];
const vowels = ["a", "e", "i", "o", "u", "ei", "au"];
const codas = ["", "n", "r", "s", "ck", "ll", "nd", "rt"];

/** A made-up surname: players invent names, so an index must handle many that occur once. */
function invented(random: Random): string {
  const syllable = () => random.pick(onsets) + random.pick(vowels) + random.pick(codas);
  const name = syllable() + syllable() + (random.chance(0.3) ? syllable() : "");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const jobs = ["police", "ambulance", "mechanic", "taxi", "realestate", "lawyer", "unemployed", "unemployed", "unemployed"];
const two = (value: number) => String(value).padStart(2, "0");

/** Characters as a game server sends them: the same for the same seed, unique across values of `first`. */
export function makeUsers(count: number, seed: number, first = 0): User[] {
  const random = createRandom(seed + first * 7919);
  return Array.from({ length: count }, (_, i): User => {
    const number = first + i;
    const sex = random.pick(["f", "m"] as const);
    return {
      identifier: `char1:${seed.toString(16).padStart(8, "0")}${number.toString(16).padStart(32, "0")}`,
      firstName: random.pick(firstNames[sex]),
      lastName: random.chance(0.7) ? random.pick(lastNames) : invented(random),
      dateOfBirth: `${random.between(1948, 2007)}-${two(random.between(1, 12))}-${two(random.between(1, 28))}`,
      sex,
      height: random.between(150, 200),
      jobs: [{ name: random.pick(jobs), grade: random.between(0, 3) }],
      phoneNumbers: [{ number: `555-${String((number * 7919 + seed) % 10_000_000).padStart(7, "0")}` }],
      licences: random.chance(0.7) ? ["drive", ...(random.chance(0.2) ? ["weapon"] : [])] : [],
      visum: random.between(0, 60),
      playtime: random.between(0, 3_000_000),
    };
  });
}

const letters = "ABCDEFGHJKLMNPRSTUVWXYZ";

/** The plate of a number, unique for numbers below 12 million. */
function plateOf(number: number): string {
  const mixed = (number * 7_654_321) % 12_167_000;
  const head = Math.floor(mixed / 1000);
  const letter = (at: number) => letters.charAt(Math.floor(head / 23 ** at) % 23);
  return `${letter(2)}${letter(1)}${letter(0)} ${String(mixed % 1000).padStart(3, "0")}`;
}

export function makeVehicles(count: number, seed: number, first = 0): Vehicle[] {
  const random = createRandom(seed + first * 7919 + 1);
  return Array.from({ length: count }, (_, i): Vehicle => {
    const { type, names } = random.pick(vehicleModels);
    return {
      plate: plateOf(first + i),
      model: random.pick(names),
      type,
      ownerIdentifier: `char1:${seed.toString(16).padStart(8, "0")}${random.between(0, 999).toString(16).padStart(32, "0")}`,
      job: random.chance(0.03) ? "police" : null,
    };
  });
}
