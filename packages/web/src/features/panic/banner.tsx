import { part } from "#core/part.ts";
import type { AlarmBarProps } from "./alarmBar.tsx";
import { usePresentPanics } from "./panic.queries.ts";

const AlarmBar = part<AlarmBarProps>(["panic"], () => import("./alarmBar.tsx"));

/** Above every page: what alarms the viewer, and the own panic. */
export function PanicBanner() {
  const items = usePresentPanics().data?.items ?? [];
  return items.length === 0 ? null : <AlarmBar items={items} />;
}
