import { createElement, type SVGProps } from 'react';

type IconProps = SVGProps<SVGSVGElement> & { size?: number };
export type Icon = (props: IconProps) => React.JSX.Element;
type Shape = readonly [tag: string, attributes: Readonly<Record<string, string>>];

const LOOKS = {
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;

/** An icon as lucide-react draws it: hidden from screen readers unless it has a label. */
export function createIcon(shapes: readonly Shape[]): Icon {
  return ({ size = 24, ...props }) =>
    createElement(
      'svg',
      {
        ...LOOKS,
        width: size,
        height: size,
        'aria-hidden': props['aria-label'] === undefined ? true : undefined,
        ...props,
      },
      shapes.map(([tag, attributes]) =>
        createElement(tag, { key: JSON.stringify(attributes), ...attributes }),
      ),
    );
}
