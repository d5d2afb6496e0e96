import { useText } from "#core/i18n.ts";
import { absoluteTime, clockTime, playedTime } from "#core/time.ts";
import { useServerNow } from "#ui/small.tsx";

/** Clock time and duration, as `18:04 · 2 h 5 min`. */
export function Since({ instant }: { readonly instant: number }) {
  const { language } = useText();
  const now = useServerNow(20_000);
  return (
    <time dateTime={new Date(instant).toISOString()} title={absoluteTime(instant, language)} className="rc-number">
      {clockTime(instant, language)} · {playedTime(Math.max(0, now - instant) / 1000)}
    </time>
  );
}
