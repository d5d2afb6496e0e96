/** First names by the sex in the game's data. */
export const firstNames: Readonly<Record<"f" | "m", readonly string[]>> = {
  f: (
    "Mara Élodie Zoë Aaliyah Bo Li Jo Chloé Anaïs Søs Åsa Märta Noor Yūki Amara Ingrid Fatima Siobhán Renée Lucía Begoña Ximena " +
    "Thea Priya Hana Mei Xiu Ying Olga Natália Žofia Łucja Małgorzata Günay Ayşe Zeynep Leïla Inès Nia Adaeze Chiamaka Wanjiru Grace " +
    "Ruth Edith Clara Johanna Anna-Lena Marie-Claire Mary-Jane Ana-Sofía Eva-Lotta Hannah Isla Freya Tess Vera Wilma Nadia Samira " +
    "Soraya Talia Uma Vivienne Yara Zara Beatriz Conceição Dagný Eilís Florence Gloria Heidi Iris Jasmine Katarína Lena Mónica Nora"
  ).split(" "),
  m: (
    "Al Bo Ed Jo Ty José Jürgen Björn Søren Łukasz Mateusz Ömer Çağrı Emre Ahmed Yusuf Idris Kwame Chidi Tunde Juma Kofi Wei Jun Hao " +
    "Minh Duc Hiroshi Kenji Ravi Arjun Vikram Dmitri Ștefan Ioan Miloš Jiří Håkon Leif Åke Mikael Sébastien François Jean-Luc " +
    "Karl-Heinz Hans-Peter Juan-Carlos Óscar Íñigo Thiago João Nuno Cillian Séamus Angus Owen Rhys Dylan Marcus Elijah Andre Trevor " +
    "Wade Clay Hank Otis Silas Theo Felix Anton Viktor Ruben Levi Noah Samir Tariq Omar Hassan Rashid Malik Zane Quentin Percy"
  ).split(" "),
};

export const lastNames: readonly string[] = (
  "Lind Ng Wu Li Xu Ek Oh Ó_Briain O'Neill D'Angelo MacLeod van_der_Berg de_la_Cruz von_Hohenfels Müller Schäfer Groß Weiß " +
  "Lindqvist Åkesson Öberg Sørensen Østergaard Þórsdóttir Björnsson Kowalski Wójcik Dąbrowski Novák Dvořák Šimek Horváth Szabó " +
  "Popescu Ionescu Petrov Sokolov Ivanova Yılmaz Öztürk Çelik Demir Haddad Rahman Hussain El-Amin Ben_Salah Okafor Adeyemi Mensah " +
  "Njoroge Abebe Diallo Traoré Nguyễn Trần Phạm Tanaka Sato Kobayashi Kim Park Chen Zhang Huang Patel Sharma Nair Singh Kaur " +
  "García Hernández Muñoz Peña Ibáñez Rodríguez Gonçalves Araújo Conceição Lefèvre Dubois Beaulieu Moreau Rossi Bianchi Esposito " +
  "Papadopoulos Nikolaou Smith Johnson Walker Carter Hayes Brooks Sullivan Whitaker Ashdown Blackwood Calloway Delgado Everhart " +
  "Fairchild Granger Holloway Ives Jennings Kensington Lockhart Mercer Norwood Ortega Prescott Quill Ramsey Sterling Thorne " +
  "Underwood Vance Winslow York Zeller Lindqvist-Okafor Smith-Jensen García-Lorca Müller-Lüdenscheidt Park-Hayes"
)
  .split(" ")
  .map((name) => name.replaceAll("_", " "));

export interface VehicleModel {
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
export const companyModels: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>> = {
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
