(component
  ;; Dropping the handle runs the destructor, within the call.
  (core module $destructors
    (func (export "drop") (param i32) (loop $again (br $again))))
  (core instance $destructor (instantiate $destructors))
  (type $thing (resource (rep i32) (dtor (core func $destructor "drop"))))
  (core func $new (canon resource.new $thing))
  (core func $drop (canon resource.drop $thing))
  (core module $module
    (import "thing" "new" (func $new (param i32) (result i32)))
    (import "thing" "drop" (func $drop (param i32)))
    (memory (export "memory") 2)
    (global $top (mut i32) (i32.const 65536))
    (func $realloc (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
      (global.set $top (i32.add (local.get $at) (local.get 3)))
      (local.get $at))
    (func (export "run") (param i32) (result i32)
      (call $drop (call $new (i32.const 7))) (i32.const 1024)))
  (core instance $main (instantiate $module
    (with "thing" (instance (export "new" (func $new)) (export "drop" (func $drop))))))
  ;; frame
)
