import type { Recommendation } from '@postern/contract';
import type { CampaignView } from '@postern/contract/dashboard';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { CircleCheck, CircleX, Flag } from '../icons.ts';

const TONES = {
  neutral: 'bg-hover text-soft',
  accent: 'bg-accent-soft text-accent-deep',
  allow: 'bg-allow-soft text-allow',
  flag: 'bg-flag-soft text-flag',
  block: 'bg-block-soft text-block',
} as const;

export type Tone = keyof typeof TONES;

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={clsx(
        'inline-flex max-w-full items-center gap-1 rounded-md px-1.5 py-0.5 text-[0.8rem] leading-5 font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

const ICONS = { allow: CircleCheck, flag: Flag, block: CircleX };

/** Has a colour, a word and a shape, so that red and green need not be told apart. */
export function RecommendationBadge({ value }: { value: Recommendation }) {
  const Icon = ICONS[value];
  return (
    <Badge tone={value}>
      <Icon size={13} />
      {value}
    </Badge>
  );
}

const DECIDED = { block: 'blocked', flag: 'flagged', none: 'marked as bad' } as const;

export function CampaignState({ campaign }: { campaign: CampaignView }) {
  const last = campaign.decisions.at(-1);
  if (last !== undefined) return <Badge tone="accent">{DECIDED[last.action]}</Badge>;
  if (campaign.acknowledgedAt !== null) return <Badge>acknowledged</Badge>;
  return <Badge tone={campaign.underWay ? 'block' : 'flag'}>{campaign.underWay ? 'under way' : 'new'}</Badge>;
}
