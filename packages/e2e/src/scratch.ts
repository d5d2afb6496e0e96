import { startCity } from "@rollcall/testkit/city.ts";
import { writeFileSync } from "node:fs";
const city = await startCity("embedded");
writeFileSync("/tmp/city3.json", JSON.stringify({ url: city.instance.url, chief: city.login("police.chief"), admin: city.login("admin") }));
console.log("ready");
process.on("SIGTERM", async () => { await city.stop(); process.exit(0); });
setInterval(() => undefined, 1000);
