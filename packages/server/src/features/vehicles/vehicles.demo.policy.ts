import { type Demo, type DemoGrant, demoGrant } from "#core/demo.ts";
import { unique } from "#core/random.ts";
import type { SyncVehicle } from "./vehicles.contract.ts";

const vehicleCount = 1200;

export const vehiclesDemoGrants: readonly DemoGrant[] = [
  demoGrant("police", 0, "vehicles.list", ["owner"]),
  demoGrant("justice", 3, "vehicles.list", ["owner"]),
  demoGrant("mechanic", 0, "vehicles.list", []),
  demoGrant("mechanic", 2, "vehicles.list", ["owner"]),
];

interface VehicleModel {
  readonly type: string;
  readonly names: readonly string[];
  /** Share of a thousand private vehicles. */
  readonly weight: number;
}

export const vehicleModels: readonly VehicleModel[] = [
  {
    type: "car",
    weight: 780,
    names: [
      "Veyra Lumo",
      "Veyra Corsaro",
      "Karven Solano",
      "Karven Tundra GT",
      "Harrow Sentry",
      "Harrow Vagabond",
      "Oriel 200",
      "Oriel Estate",
      "Balmora Regent",
      "Balmora Six",
      "Pinto Rosso",
      "Nakari Swift",
      "Nakari Kaze",
      "Tessaro E4",
      "Brandt Kombi",
      "Brandt 1800",
      "Condor Stallion",
      "Condor Ridge",
      "Maple Wagon",
      "Silvan Coupé",
      "Dusk Roadster",
      "Hikari Mini",
      "Atlas Ranger",
      "Atlas Hauler",
    ],
  },
  {
    type: "bike",
    weight: 120,
    names: ["Kestrel 650", "Kestrel Enduro", "Rook Chopper", "Nakari Hayate", "Bellini Scooter", "Rook Bagger"],
  },
  { type: "truck", weight: 40, names: ["Atlas Longhaul", "Grüner T12", "Condor Flatbed", "Grüner Tipper"] },
  { type: "boat", weight: 35, names: ["Selkie 21", "Selkie Cruiser", "Marlin Jet", "Petrel Dinghy"] },
  { type: "heli", weight: 8, names: ["Wren 44", "Harrier Lift"] },
  { type: "plane", weight: 7, names: ["Petrel Mk II", "Cirro 180"] },
  { type: "bicycle", weight: 10, names: ["Corso Racer", "Trailhead 29"] },
];

/** Models of company vehicles. */
const companyModels: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>> = {
  police: [
    { name: "Harrow Interceptor", type: "car" },
    { name: "Atlas Patrol", type: "car" },
    { name: "Kestrel Patrol", type: "bike" },
    { name: "Wren Sky Watch", type: "heli" },
    { name: "Selkie Patrol", type: "boat" },
  ],
  ambulance: [
    { name: "Grüner Ambulance", type: "truck" },
    { name: "Oriel Paramedic", type: "car" },
    { name: "Harrier Medevac", type: "heli" },
  ],
  justice: [{ name: "Balmora State", type: "car" }],
  mechanic: [
    { name: "Atlas Tow", type: "truck" },
    { name: "Condor Flatbed", type: "truck" },
    { name: "Brandt Service", type: "car" },
  ],
  taxi: [
    { name: "Oriel Cab", type: "car" },
    { name: "Tessaro Cab", type: "car" },
  ],
  press: [
    { name: "Brandt Broadcast", type: "truck" },
    { name: "Wren News", type: "heli" },
  ],
};

/** How many vehicles a job has. */
const companyVehicles: Readonly<Record<string, number>> = {
  police: 70,
  ambulance: 28,
  justice: 6,
  mechanic: 22,
  taxi: 40,
  press: 8,
};

/** The vehicles of the demo city: company cars, and what its people drive. */
export function demoVehicles({ city, random }: Pick<Demo, "city" | "random">): SyncVehicle[] {
  const letters = "ABCDEFGHJKLMNPRSTUVWXYZ";
  const some = (from: string, count: number) =>
    Array.from({ length: count }, () => from.charAt(random.between(0, from.length - 1))).join("");
  const digits = (count: number) => some("0123456789", count);
  const plate = unique(() =>
    random.weighted([
      [() => `${some(letters, 3)} ${digits(3)}`, 6],
      [() => `${digits(2)}${some(letters, 3)}${digits(3)}`, 3],
      [() => `${some(letters, 2)} ${digits(4)}`, 1],
    ] as const)(),
  );
  const company = city.jobs.flatMap(({ name }) =>
    Array.from({ length: companyVehicles[name] ?? 0 }, (): SyncVehicle => {
      const model = random.pick(companyModels[name] ?? []);
      return { plate: plate(), model: model.name, type: model.type, ownerIdentifier: null, job: name };
    }),
  );
  const drivers = city.people.filter(({ licences }) => licences.includes("drive"));
  const owned = Array.from({ length: vehicleCount - company.length }, (): SyncVehicle => {
    const { type, names } = random.weighted(vehicleModels.map((model) => [model, model.weight] as const));
    const owner = random.chance(0.03) ? null : random.pick(type === "bicycle" ? city.people : drivers);
    return {
      plate: plate(),
      model: random.pick(names),
      type,
      ownerIdentifier: owner?.identifier ?? null,
      job: null,
    };
  });
  return [...company, ...owned];
}
