import { sendTo } from "./api.ts";

/** A citizen whose fields all have the maximum length. */
export const longest = {
  identifier: "longest:1",
  firstName: "Maximiliana-Wolfeschlegelsteinhausenbergerdorff-Xy",
  lastName: "Featherstonehaugh-Cholmondeley-Majoribanks-Bottomy",
  jobs: ["police", "ambulance", "justice", "press"].map((name) => ({ name, grade: 1 })),
  phoneNumbers: Array.from({ length: 8 }, (_number, i) => ({ number: `0099988877766${i}555555` })),
  licences: ["drive", "weapon", "hunting", "boat", "pilot", "a_licence_without_a_label_that_uses_up_all_of_60_characters"],
};

const longestVehicle = {
  plate: "W".repeat(32),
  model: "M".repeat(64),
  type: "a kind as long as kinds may be.",
  ownerIdentifier: longest.identifier,
  job: "justice",
};

/** Sends a citizen and a vehicle whose fields have their maximum lengths. Throws if they are not accepted. */
export async function sendLongest(url: string): Promise<void> {
  for (const [kind, item] of [
    ["users", longest],
    ["vehicles", longestVehicle],
  ] as const) {
    const { body } = await sendTo(url, kind, [item]);
    if ((body as { accepted?: number }).accepted !== 1) throw new Error(`${kind}: ${JSON.stringify(body)}`);
  }
}
