import type { Sight } from "./sight.ts";

const as = "admin";

export const sights: readonly Sight[] = [
  { name: "home-setup-hint", as, path: "/", ready: "main p a[href='/setup']" },
  { name: "settings", as, path: "/panel/settings", ready: "main section h2" },
  { name: "settings-german", as, language: "de", widths: [390], path: "/panel/settings", ready: "main section h2" },
  { name: "schedule", as, path: "/panel/schedule", ready: "main article h2" },
  { name: "job-properties", as: "police.chief", path: "/panel/jobs", ready: "main section textarea" },
  { name: "status", as, path: "/panel/status", ready: "main section li >> nth=9" },
  { name: "status-german", as, language: "de", widths: [390], path: "/panel/status", ready: "main section li >> nth=9" },
];
