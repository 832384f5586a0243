import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "arrow-right",
	size: 24,
	node: [["path", {
		d: "M5 12h14",
		key: "1ays0h"
	}], ["path", {
		d: "m12 5 7 7-7 7",
		key: "xquz4c"
	}]]
};
__iconData.node;
const ArrowRight = createLucideIcon(__iconData);
export { __iconData, ArrowRight as default };
