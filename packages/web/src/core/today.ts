import { transport } from "./services.ts";

/** The day of now in the viewer's zone. */
export function today(): string {
  const date = new Date(transport.serverNow());
  const two = (part: number) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
