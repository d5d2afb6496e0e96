import { Button } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { EmptyState } from "#ui/states.tsx";

export interface UnseenProps {
  /** Its label. */
  readonly job: string;
  /** Shows what the viewer does see. */
  onOther(): void;
}

/** The address names a job whose duty the viewer does not see: said at once, with the right that is missing. */
export default function Unseen({ job, onOther }: UnseenProps) {
  const { t } = useText();
  return (
    <EmptyState
      icon={IconLock}
      title={t("duty.unseen.title", { job })}
      text={t("duty.errors.notVisible", { job })}
      action={
        <Button variant="default" onClick={onOther}>
          {t("duty.unseen.other")}
        </Button>
      }
    />
  );
}
