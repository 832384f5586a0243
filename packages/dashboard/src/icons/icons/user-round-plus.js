import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "user-round-plus",
	size: 24,
	node: [
		["path", {
			d: "M2 21a8 8 0 0 1 13.292-6",
			key: "bjp14o"
		}],
		["circle", {
			cx: "10",
			cy: "8",
			r: "5",
			key: "o932ke"
		}],
		["path", {
			d: "M19 16v6",
			key: "tddt3s"
		}],
		["path", {
			d: "M22 19h-6",
			key: "vcuq98"
		}]
	],
	aliases: ["user-plus-2"]
};
__iconData.node;
const UserRoundPlus = createLucideIcon(__iconData);
export { __iconData, UserRoundPlus as default };
