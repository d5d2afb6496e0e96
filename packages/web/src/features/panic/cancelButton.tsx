import { Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import type { Panic, usePanicChanges } from "./panic.queries.ts";

interface CancelButtonProps {
  readonly panic: Panic;
  readonly now: number;
  readonly changes: Pick<ReturnType<typeof usePanicChanges>, "busy" | "cancel">;
}

/** In the first seconds, with how many are left. */
export function CancelButton({ panic, now, changes }: CancelButtonProps) {
  const { t } = useText();
  const left = Math.ceil((panic.cancelUntil - now) / 1000);
  if (!panic.mine || panic.state !== "active" || left <= 0) return null;
  return (
    <Button
      size="compact-md"
      variant="default"
      loading={changes.busy}
      leftSection={<IconX size={16} aria-hidden />}
      aria-label={t("panic.cancel")}
      onClick={() => void changes.cancel(panic)}
    >
      {t("panic.cancelIn", { seconds: left })}
    </Button>
  );
}
