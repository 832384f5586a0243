import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "plus",
	size: 24,
	node: [["path", {
		d: "M5 12h14",
		key: "1ays0h"
	}], ["path", {
		d: "M12 5v14",
		key: "s699le"
	}]]
};
__iconData.node;
const Plus = createLucideIcon(__iconData);
export { __iconData, Plus as default };
