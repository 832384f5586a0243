import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "trending-down",
	size: 24,
	node: [["path", {
		d: "M16 17h6v-6",
		key: "t6n2it"
	}], ["path", {
		d: "m22 17-8.5-8.5-5 5L2 7",
		key: "x473p"
	}]]
};
__iconData.node;
const TrendingDown = createLucideIcon(__iconData);
export { __iconData, TrendingDown as default };
